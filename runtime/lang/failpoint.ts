/** `SVC_FAILPOINTS=name` or `name@3` (the third pass): this process dies there immediately, to prove that nothing is lost. */
const armed = new Map(
  (process.env['SVC_FAILPOINTS'] ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map((text) => {
      const [name = '', pass = '1'] = text.trim().split('@');
      return [name, Number(pass)] as const;
    }),
);

export function failpoint(name: string): void {
  if (armed.size === 0) return;
  const remaining = armed.get(name);
  if (remaining === undefined) return;
  if (remaining <= 1) process.kill(process.pid, 'SIGKILL');
  armed.set(name, remaining - 1);
}
