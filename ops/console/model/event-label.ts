/** XState's own events are named after the actor that they come from. */
export function eventLabel(event: string): string {
  if (event === '') return 'always';
  const delay = /^xstate\.after\.([^.]+)/.exec(event)?.[1];
  if (delay !== undefined) return `after ${delay}${Number.isNaN(Number(delay)) ? '' : ' ms'}`;
  return /^xstate\.(done|error|snapshot)\b/.exec(event)?.[1] ?? event;
}
