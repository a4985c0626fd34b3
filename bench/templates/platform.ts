/** What keeps the rest running: jobs, mail, containers, the machines themselves. */
import type { ServiceTemplates } from './template.ts'

export const platformServices: readonly ServiceTemplates[] = [
  {
    service: 'scheduler',
    weight: 4,
    loggers: ['cron', 'worker', 'queue'],
    templates: {
      debug: [
        'queue {word} polled: {n3} jobs ready, {n4} delayed',
        'lock {word}/{n4} renewed for {n2} s by {host}',
      ],
      info: [
        'job {word}.{word} #{n8} started on {host}, attempt {n2}',
        'job {word}.{word} #{n8} finished in {n4} ms: {n4} rows',
        'next run of {word} in {n4} s (rule */{n2} * * * *)',
        'worker {n2} on {host} took {n3} jobs from {word} in {ms} ms',
        'lease {hex16} moved from {host} to {host}',
        'exported {n8} rows of {table} to {file} ({bytes} bytes)',
      ],
      warn: [
        'job {word}.{word} #{n8} is late by {n4} s, {n2} of 16 workers free',
        'job #{n8} tried {n2} times, next try in {n4} s',
      ],
      error: [
        'job {word}.{word} #{n8} given up after {n2} attempts: exit code {n2}',
        'Traceback (most recent call last):\n  File "/srv/jobs/run.py", line {line}, in main\n    handler(payload)\n  File "/srv/jobs/{word}.py", line {line}, in handler\n    rows = read("{file}")\nFileNotFoundError: [Errno 2] No such file or directory: \'{file}\'',
      ],
    },
  },
  {
    service: 'mailer',
    weight: 3,
    loggers: ['smtp', 'templates', 'bounces'],
    templates: {
      debug: [
        'template {word}.{locale} compiled in {ms} ms, {bytes} bytes',
        'dns: mx of {word}.example is {host} priority {n2}, ttl {n4}',
      ],
      info: [
        '{hex8}: to=<{email}>, relay={host}[{ip}]:25, delay={n2}.{n2}, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as {hex8})',
        '{hex8}: from=<noreply@example.com>, size={bytes}, nrcpt={n2} (queue active)',
        'mail "Your order {order}" rendered for {name} in {locale}, {ms} ms',
        'campaign {word}-{n4}: {n4} sent, {n2} bounced, {n3} opened',
        '„Ihre Bestellung {order} ist unterwegs“ an {email} übergeben, {bytes} Bytes',
        '{hex8}: removed',
      ],
      warn: [
        '{hex8}: to=<{email}>, relay={host}[{ip}]:25, delay={n4}, dsn=4.7.1, status=deferred (host said: 451 4.7.1 Greylisted, try again in {n3} seconds)',
        'bounce rate of {word}.example at {n2} %, sending slowed to {n3} per minute',
      ],
      error: [
        '{hex8}: to=<{email}>, relay=none, delay={n4}, dsn=5.4.4, status=bounced (Host or domain name not found for {word}.example)',
        'template {word}.{locale}, line {line}: variable "{word}" is not defined',
      ],
    },
  },
  {
    service: 'kubelet',
    weight: 7,
    loggers: ['pod_workers', 'prober', 'eviction'],
    templates: {
      debug: [
        'SyncLoop (housekeeping) took {ms} ms, {n3} pods',
        'cgroup /kubepods/burstable/pod{uuid}: {bytes} bytes, {n4} throttled periods',
      ],
      info: [
        'SyncLoop UPDATE source="api" pods=["shop/{word}-{hex8}-{hex4}"]',
        'Successfully pulled image "registry.example.com/{word}:v{n2}.{n2}.{n2}" in {ms} ms ({bytes} bytes)',
        'Started container {word} of pod shop/{word}-{hex8} on {host}',
        'MountVolume.SetUp succeeded for volume "config-{hex8}" pod "{uuid}"',
        'Container {hex16} exited with code 0 after {n4} s',
        'Node {host} condition MemoryPressure is now False, {bytes} bytes free',
      ],
      warn: [
        'Readiness probe for "shop/{word}-{hex8}:{word}" failed: HTTP probe returned {n3} in {n4} ms',
        'Back-off {n3} s restarting container {word} in pod shop/{word}-{hex8}, restart {n2}',
      ],
      error: [
        'Error syncing pod {uuid}, skipping: failed to "StartContainer" for "{word}" with ImagePullBackOff after {n2} tries',
        'OOMKilled: container {word} of shop/{word}-{hex8} used {bytes} of {bytes} bytes',
        'eviction manager: must evict pod shop/{word}-{hex8} to reclaim ephemeral-storage, {bytes} bytes over',
      ],
    },
  },
  {
    service: 'node',
    weight: 8,
    loggers: ['kernel', 'sshd', 'systemd'],
    templates: {
      debug: [
        'sshd[{n4}]: debug1: userauth-request for user {user} service ssh-connection method {method} attempt {n2}',
        'systemd[1]: {word}.service: Child {n4} belongs to {word}.service.',
      ],
      info: [
        'sshd[{n4}]: Accepted publickey for {user} from {ip} port {port} ssh2: ED25519 SHA256:{hex16}{hex16}',
        'systemd[1]: Started session-{n4}.scope - Session {n4} of User {user}.',
        'kernel: [{n8}.{n4}] eth0: renamed from veth{hex8}',
        'CRON[{n4}]: ({user}) CMD (test -x /usr/sbin/{word} && /usr/sbin/{word} --daily {n3})',
        'systemd[1]: {word}.service: Deactivated successfully. Consumed {n2}.{n3}s CPU time.',
        'chronyd[{n4}]: Selected source {ip} ({host}), offset {n3} µs',
      ],
      warn: [
        'sshd[{n4}]: Failed password for invalid user {user} from {ip} port {port} ssh2',
        'kernel: [{n8}.{n4}] TCP: request_sock_TCP: Possible SYN flooding on port {port}. Sending cookies.',
        'kernel: [{n8}.{n4}] nvme0n1: I/O {n4} (tag {n2}) timed out after {n2} s, polled',
      ],
      error: [
        'kernel: [{n8}.{n4}] Out of memory: Killed process {n4} ({word}) total-vm:{n8}kB, anon-rss:{n8}kB, oom_score_adj:{n3}',
        'kernel: [{n8}.{n4}] EXT4-fs error (device nvme0n1p{n2}): ext4_lookup:{line}: inode #{n8}: comm {word}: deleted inode referenced: {n8}',
        'systemd[1]: {word}.service: Main process exited, code=exited, status={n2}/FAILURE',
      ],
    },
  },
]
