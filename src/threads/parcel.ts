/**
 * Arrays on their way between threads, which are nobody's until they are taken out one by one. V8 counts an
 * array for the thread that has it and begins a collection whenever some 64 MiB have come since the last
 * one, so that a thread which only passes on what another one made would collect its garbage for each
 * body. What lies in the queue of a port is counted nowhere.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

/** May be sent to another thread with its ports (`portsOf`); one that is not sent is to be discarded. */
export interface Parcel {
  readonly sender: MessagePort
  readonly receiver: MessagePort
}

/** Those that this thread has sent or discarded. */
const gone = new WeakSet<Parcel>()

/** The arrays, which this thread has no more. */
export function parcelOf(buffers: Iterable<ArrayBuffer>): Parcel {
  const { port1: sender, port2: receiver } = new MessageChannel()
  for (const buffer of buffers) sender.postMessage(buffer, [buffer])
  return { sender, receiver }
}

/** What is to be transferred with the message that holds the parcel. */
export function portsOf(parcel: Parcel): MessagePort[] {
  gone.add(parcel)
  return [parcel.sender, parcel.receiver]
}

/** Whether it was sent or discarded. */
export function isGone(parcel: Parcel): boolean {
  return gone.has(parcel)
}

/** The next of its arrays, in their order. Throws when none is left. */
export function takeOut({ receiver }: Parcel): ArrayBuffer {
  const received = receiveMessageOnPort(receiver)
  if (received === undefined) throw new Error('BUG: nothing is left in the parcel')
  return received.message as ArrayBuffer
}

/** Frees what is left in it, unless it is gone. */
export function discard(parcel: Parcel): void {
  if (gone.has(parcel)) return
  gone.add(parcel)
  parcel.sender.close()
  parcel.receiver.close()
}
