/** Where the data lies: database, cache, event bus, search. */
import type { ServiceTemplates } from './template.ts'

export const dataServices: readonly ServiceTemplates[] = [
  {
    service: 'postgres',
    weight: 9,
    loggers: ['checkpointer', 'autovacuum', 'backend'],
    templates: {
      debug: [
        'StartTransaction({n2}) name: unnamed; blockState: DEFAULT; state: INPROGRESS, xid/subid/cid: {n8}/1/{n2}',
        'parse <unnamed>: SELECT {word}, {word} FROM {table} WHERE id = $1 AND part = {n2} LIMIT {n3}',
      ],
      info: [
        'duration: {ms} ms  execute S_{n2}: SELECT * FROM {table} WHERE {word}_id = {n8} ORDER BY created_at DESC LIMIT {n3}',
        'connection authorized: user={user} database={word} client_name=api-{n2} SSL enabled (protocol=TLSv1.3)',
        'checkpoint complete: wrote {n4} buffers ({n2}.{n2}%); {n2} WAL file(s) added, {n2} removed; write={n3}.{n3} s, sync=0.{n3} s, total={n3}.{n3} s',
        'automatic vacuum of table "shop.public.{table}": index scans: {n2}, pages: {n4} removed, {n8} remain',
        'disconnection: session time: 0:{n2}:{n2}.{n3} user={user} database={word} host={ip} port={port}',
        'temporary file: path "base/pgsql_tmp/pgsql_tmp{n4}.{n2}", size {bytes}',
      ],
      warn: [
        'process {n4} still waiting for ShareLock on transaction {n8} after {n4}.{n3} ms',
        'there is already a transaction in progress (pid {n4})',
        'checkpoints are occurring too frequently ({n2} seconds apart)',
      ],
      error: [
        'deadlock detected\nDETAIL:  Process {n4} waits for ShareLock on transaction {n8}; blocked by process {n4}.\nProcess {n4} waits for ShareLock on transaction {n8}; blocked by process {n4}.\nHINT:  See server log for query details.',
        'canceling statement due to statement timeout: UPDATE {table} SET {word} = $1 WHERE id = {n8}',
        'relation "{table}_{n4}" does not exist at character {n3}',
      ],
    },
  },
  {
    service: 'redis',
    weight: 5,
    loggers: ['server', 'aof', 'cluster'],
    templates: {
      debug: [
        '{n4} clients connected ({n2} replicas), {bytes} bytes in use',
        'DB {n2}: {n8} keys ({n4} volatile) in {n8} slots HT.',
      ],
      info: [
        'Background saving started by pid {n4}',
        'DB saved on disk in {ms} ms, {bytes} bytes, RDB {hex16}',
        'Fork CoW for RDB: current {n3} MB, peak {n3} MB, average {n3} MB',
        '{n4} changes in {n3} seconds. Saving...',
        'Accepted {ip}:{port} as client id={n8} name={word} db={n2}',
        'slot {n4} moved from {hex16} to {hex16} in {ms} ms',
      ],
      warn: [
        'Asynchronous AOF fsync is taking too long (disk is busy?), {n4} ms',
        'client id={n8} addr={ip}:{port} cmd={word} qbuf={bytes} over output buffer limit',
      ],
      error: [
        'MISCONF errors writing to the AOF file: {n2} of {bytes} bytes written',
        'Cluster state changed: fail, slot {n4} is not covered, node {hex16}',
        'OOM command not allowed when used memory > maxmemory: {word} {hex16}',
      ],
    },
  },
  {
    service: 'event-bus',
    weight: 8,
    loggers: ['Log', 'GroupCoordinator', 'Controller'],
    templates: {
      debug: [
        '[Log partition={word}-{n2}] appended {n3} messages, offset {n8}, {bytes} bytes',
        'fetch from {host} for {word}-{n2} at {n8} waited {ms} ms',
      ],
      info: [
        '[GroupCoordinator {n2}]: Member {word}-{n2}-{uuid} joined group {word} at generation {n3}',
        '[Log partition={word}-{n2}, dir=/var/lib/bus] Rolled new log segment at offset {n8} in {ms} ms.',
        'group {word} committed offset {n8} of {word}-{n2} for {host}',
        '[Controller id={n2}] elected {n2} as leader for partition {word}-{n2}, epoch {n3}',
        'deleted segment {n8} of {word}-{n2}: {bytes} bytes, {n3} h old',
        'topic {word} now has {n2} partitions on {n2} brokers',
      ],
      warn: [
        'consumer {word} lags {n8} messages behind on {word}-{n2}',
        '[Broker id={n2}] request queue is {n2} % full, oldest {n4} ms',
      ],
      error: [
        'Error while reading checkpoint file /var/lib/bus/{word}-{n2}/leader-epoch: malformed line {line}',
        'org.apache.kafka.common.errors.NotLeaderOrFollowerException: {word}-{n2}\n\tat kafka.server.ReplicaManager.getPartitionOrException(ReplicaManager.scala:{line})\n\tat kafka.server.ReplicaManager.appendRecords(ReplicaManager.scala:{line})\n\tat kafka.server.KafkaApis.handleProduceRequest(KafkaApis.scala:{line})',
        'message {hex16} of {bytes} bytes is larger than the topic {word} allows',
      ],
    },
  },
  {
    service: 'search',
    weight: 6,
    loggers: ['query', 'merge', 'gc'],
    templates: {
      debug: [
        'rewrote query "{name} {word}" to {n2} terms in {ms} ms',
        'segment _{hex4} holds {n8} documents, {n4} deleted',
      ],
      info: [
        'query on {table} took {ms} ms, {n8} hits, {n2} shards, request {hex16}',
        'merged {n2} segments into _{hex4}: {n8} documents, {bytes} bytes, {n4} ms',
        'indexed {n4} products from {file} in {ms} ms',
        '[gc][young][{n8}][{n3}] duration [{n3}ms], collections [{n2}]/[{n2}.{n2}s], memory [{n3}mb]->[{n3}mb]/[1gb]',
        'suggestion "{city}" offered for "{word}", {n3} candidates',
        'snapshot {word}-{n8} of {n2} shards finished in {n4} s',
      ],
      warn: [
        'slow query [{n4}ms] on {table}[{n2}]: {"match":"{name}","size":{n3}}',
        'heap at {n2} %, field data breaker near its limit of {bytes} bytes',
      ],
      error: [
        'shard {table}[{n2}] on {host} failed: checksum {hex8}, footer {hex8}',
        'org.elasticsearch.action.search.SearchPhaseExecutionException: all shards failed\n\tat AbstractSearchAsyncAction.onPhaseFailure(AbstractSearchAsyncAction.java:{line})\n\tat AbstractSearchAsyncAction.executeNextPhase(AbstractSearchAsyncAction.java:{line})\nCaused by: CircuitBreakingException: data for [{word}] would be [{bytes}b]',
      ],
    },
  },
]
