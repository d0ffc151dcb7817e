import { printableLine } from '../../runtime/lang/printable.js';
import type { RepairPlan } from '../../runtime/stuck/repair-plan.js';
import type { showStuck, StuckEntry } from '../../runtime/stuck/stuck-entries.js';

export function entryText({ id, state, attempts, since, nextAt, error, fingerprint }: StuckEntry): string {
  const facts = [
    state,
    ...(attempts === null || attempts === 0 ? [] : [attempts === 1 ? '1 attempt' : `${attempts} attempts`]),
    ...(since === null ? [] : [`since ${since}`]),
    ...(nextAt === null ? [] : [`next at ${nextAt}`]),
  ];
  return `${printableLine(id)}  ${facts.join(', ')}${causeText(error, fingerprint)}`;
}

const causeText = (error: string | null, fingerprint: string | null): string =>
  error === null ? '' : `\n  ${fingerprint} ${oneLine(error)}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

type ShownEntry = NonNullable<Awaited<ReturnType<typeof showStuck>>>;

export function shownText({ event, ...entry }: ShownEntry): string {
  const lines = Object.entries({ ...entry, ...prefixed(event) }).filter(([, value]) => value !== null);
  return lines.map(([name, value]) => `${name.padEnd(20)} ${oneLine(String(value))}`).join('\n');
}

const prefixed = (event: ShownEntry['event']): object =>
  Object.fromEntries(Object.entries(event ?? {}).map(([name, value]) => [`event ${name}`, value]));

const mostCauses = 20;

/** What a repair of many entries would do, and how to have it done. */
export function planText({ action, token, ids, causes, oldest, refused }: RepairPlan): string {
  const rest = causes.slice(mostCauses).reduce((sum, { count }) => sum + count, 0);
  return [
    `Would ${action} ${ids.length} ${ids.length === 1 ? 'entry' : 'entries'}${oldest === null ? '' : `, stuck since ${oldest} or later`}.`,
    ...causes
      .slice(0, mostCauses)
      .map(
        ({ count, fingerprint, error }) =>
          `  ${count} × ${fingerprint ?? 'without an error'} ${oneLine(error ?? '')}`,
      ),
    ...(rest === 0 ? [] : [`  ${rest} × other causes`]),
    ...refused.map(({ why, count }) => `  ${count} left: ${why}`),
    ...(ids.length === 0
      ? []
      : [`Add --yes --plan ${token} to ${action} exactly these; the plan is kept for a day.`]),
  ].join('\n');
}

const mostNamed = 20;

/** Names what a repair has left. */
export function leftText(left: readonly string[]): string {
  if (left.length === 0) return '';
  const more = left.length > mostNamed ? `\n  and ${left.length - mostNamed} more; --json names all` : '';
  const named = left.slice(0, mostNamed).map((id) => `\n  ${printableLine(id)}`);
  return `svc: left alone ${left.length} of the planned entries (no longer stuck, or moved on):${named.join('')}${more}\n`;
}
