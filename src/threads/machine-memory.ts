import { totalmem } from 'node:os'

/** Bytes of memory of the machine, or of the container if that has less. */
export const machineMemoryBytes = Math.min(
  totalmem(),
  process.constrainedMemory() || Number.POSITIVE_INFINITY,
)
