/** The stream of what the service tells about itself, with `--self-log`. */
export const selfStream = { serviceName: 'logstrata', environment: 'self' } as const
