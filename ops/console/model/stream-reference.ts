/** An event in a stream, as the subject of a record names it. */
interface StreamReference {
  readonly streamId: string;
  readonly position: number;
}

const reference = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}) @ (\d{1,15})$/;

export function streamReferenceIn(subject: string): StreamReference | undefined {
  const [, streamId, position] = reference.exec(subject) ?? [];
  return streamId === undefined ? undefined : { streamId, position: Number(position) };
}
