/** What Linux says of the processor time that a process has taken. */
import fs from 'node:fs'

/** Linux counts in these, whatever its clock does: `getconf CLK_TCK`. */
const tickMs = 10

/** Time of all threads of a process since its start, ms. */
export function processorMs(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything; from behind it on, the first field is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]]
  return (Number(user) + Number(system)) * tickMs
}
