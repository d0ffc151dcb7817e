/** The end of the answer at the front of `received`; undefined if it is incomplete. */
interface ResponseEnd {
  readonly status: number;
  readonly at: number;
}

export function responseEnd(received: string): ResponseEnd | undefined {
  const head = received.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1];
  const at = head + 4 + Number(length ?? 0);
  return received.length < at ? undefined : { status: Number(received.slice(9, 12)), at };
}
