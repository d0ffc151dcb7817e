/** The stream that holds every system message of a store. */
export const SystemEventStreams = Object.freeze({
  name: '$svc-system',
  prefix: '$svc-',
  streamId: '00000000-0000-0000-0000-000000000001',
} as const);
