import { fileURLToPath } from 'node:url';
import { runChild } from '../harness/child.js';
import { installPeers, peer } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { type Figures, interleave, type Variant } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { withDatabases } from '../harness/databases.js';
import { makeHistory } from './history.js';
import { startReaders } from './readers.js';

const all = 1_000_000;
const perStream = 40;
const peerEvents = 5_000;
const readers = 4;

interface ScriptResult {
  readonly events: number;
  readonly seconds: number;
  readonly peakMb: number;
}

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Rebuilds a model over a long history in BlueGreen, compared with the raw transfer and with a peer. */
export function rebuild(run: SuiteRun): Promise<readonly Section[]> {
  // A peer that has rebuilt once finds nothing left to do: it gets a new database for each round.
  return withDatabases(1 + run.rounds, async ([url = '', ...peerUrls]) => {
    const { events, streams } = sizeOf(run);
    run.printProgress(`rebuild: writing ${events} events of ${streams} streams`);
    await makeHistory(url, events, streams);
    await runScript(compiled('rebuilding.js'), url);
    const missing: Missing[] = [];
    const reason = await installPeers(run);
    if (reason !== undefined) missing.push({ variant: 'Emmett', reason });
    const measureEmmett = () =>
      runScript(peer('emmett-rebuild.mjs'), peerUrls.pop() ?? '', String(peerEvents));
    const variants: Variant[] = [
      { name: 'ours', measure: () => runScript(compiled('rebuilding.js'), url) },
      { name: 'ours, read meanwhile', measure: () => whileRead(url, streams) },
      { name: 'raw COPY', measure: () => runScript(compiled('draining.js'), url, 'events') },
      { name: 'raw COPY, unordered', measure: () => runScript(compiled('draining.js'), url, 'table') },
      ...(reason === undefined ? [{ name: 'Emmett', measure: measureEmmett }] : []),
    ];
    run.printProgress(`rebuild: ${run.rounds} rounds`);
    return [sectionOf(events, streams, await interleave(variants, run.rounds, run.signal), missing)];
  });
}

function sizeOf(run: SuiteRun): { readonly events: number; readonly streams: number } {
  const events = scaled(all, run);
  return { events, streams: Math.max(1, Math.floor(events / perStream)) };
}

async function runScript(script: string, ...args: readonly string[]): Promise<Figures> {
  const { events, seconds, peakMb } = await runChild<ScriptResult>(script, args);
  return { 'events/s': events / seconds, 'peak MB': peakMb };
}

async function whileRead(url: string, streams: number): Promise<Figures> {
  const stop = startReaders(url, readers, streams);
  const figures = await runScript(compiled('rebuilding.js'), url);
  const { reads, errors, halfBuilt } = await stop();
  return { ...figures, reads, errors, 'half-built': halfBuilt };
}

const sectionOf = (
  events: number,
  streams: number,
  rounds: Section['rounds'],
  missing: readonly Missing[],
): Section => ({
  title: `rebuild: ${events} events of ${streams} streams, BlueGreen (Emmett: ${peerEvents} events)`,
  figures: ['events/s', 'peak MB', 'reads', 'errors', 'half-built'],
  baseline: 'raw COPY',
  rounds,
  targets: [
    { figure: 'events/s', of: 'ours', atLeast: 60_000 },
    { figure: 'events/s', of: 'ours', against: 'raw COPY', atLeast: 0.3, aim: 0.5 },
    { figure: 'events/s', of: 'ours', against: 'Emmett', atLeast: 60, aim: 100 },
    { figure: 'peak MB', of: 'ours', atMost: 400 },
    { figure: 'errors', of: 'ours, read meanwhile', atMost: 0 },
    { figure: 'half-built', of: 'ours, read meanwhile', atMost: 0 },
  ],
  missing,
});
