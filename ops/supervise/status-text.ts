import { printableLine } from '../../runtime/lang/printable.js';
import type { HostStatus, SupervisorStatus } from './status-socket.js';

/** For people: one line for all, and one for each host. */
export function statusText(status: SupervisorStatus, now: number): string {
  const { pid, app, url, hosts, quarantined, lastError } = status;
  const rows = [['host', 'state', 'process', 'restarts', 'memory', 'for', 'last error'], ...hosts.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const refused = quarantined.map(
    ({ command, key, until }) =>
      `in quarantine: ${command}${key === undefined ? '' : ` (key ${printableLine(key)})`}, for ${ago(until - now)} more`,
  );
  const state = status.state === 'scaling' ? `scaling to ${status.wanted} hosts` : status.state;
  const failed = lastError === undefined ? [] : [printableLine(lastError)];
  return [`${app} at ${url || 'no address yet'}: ${state}, process ${pid}`, ...lines, ...failed, ...refused]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');

  function rowOf({
    name,
    state: at,
    pid: process,
    restarts,
    memory,
    since,
    lastError: error,
  }: HostStatus): string[] {
    const size = memory === undefined ? '' : `${Math.round(memory / 1e6)} MB`;
    return [
      name,
      at,
      String(process ?? ''),
      String(restarts),
      size,
      ago(now - since),
      printableLine(error ?? ''),
    ];
  }
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
