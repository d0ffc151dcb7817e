import { fileURLToPath, pathToFileURL } from 'node:url';
import { targetsAgainst, type EarlierBuild, earlierName } from '../harness/earlier-build.js';
import { runChild } from '../harness/child.js';
import { installPeers, peer } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { type Figures, interleave, type Variant } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { withDatabases } from '../append/databases.js';
import type * as History from './history.js';
import { startReaders } from './readers.js';

const all = 1_000_000;
const perStream = 40;
/** `--seconds` sets the length of the history. */
const perSecond = 50_000;
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
  const { earlier } = run;
  return earlier === undefined ? besidePeers(run) : besideEarlier(run, earlier);
}

function besidePeers(run: SuiteRun): Promise<readonly Section[]> {
  // A peer that has rebuilt once finds nothing left to do: it gets a new database for each round.
  return withDatabases(1 + run.rounds, async ([url = '', ...peerUrls]) => {
    const { events, streams } = sizeOf(run);
    await prepare(run, url);
    const missing: Missing[] = [];
    const reason = await installPeers(run.printProgress);
    if (reason !== undefined) missing.push({ variant: 'Emmett', reason });
    const variants: Variant[] = [
      { name: 'ours', measure: () => runScript(compiled('rebuilding.js'), url) },
      { name: 'ours, read meanwhile', measure: () => whileRead(url, streams) },
      { name: 'raw COPY', measure: () => runScript(compiled('draining.js'), url, 'events') },
      { name: 'raw COPY, unordered', measure: () => runScript(compiled('draining.js'), url, 'table') },
      ...(reason === undefined
        ? [
            {
              name: 'Emmett',
              measure: () => runScript(peer('emmett-rebuild.mjs'), peerUrls.pop() ?? '', String(peerEvents)),
            },
          ]
        : []),
    ];
    run.printProgress(`rebuild: ${run.rounds} rounds`);
    return [sectionOf(events, streams, await interleave(variants, run.rounds, run.signal), missing)];
  });
}

/** Each build has its own database: their schemas may differ. */
function besideEarlier(run: SuiteRun, earlier: EarlierBuild): Promise<readonly Section[]> {
  return withDatabases(2, async ([url = '', earlierUrl = '']) => {
    const { events, streams } = sizeOf(run);
    await prepare(run, url);
    await prepare(run, earlierUrl, earlier);
    const script = compiled('rebuilding.js');
    const variants: Variant[] = [
      { name: 'ours', measure: () => runScript(script, url) },
      { name: earlierName('ours', earlier), measure: () => runScript(earlier.fileOf(script), earlierUrl) },
      { name: 'raw COPY', measure: () => runScript(compiled('draining.js'), url, 'events') },
    ];
    run.printProgress(`rebuild: ${run.rounds} rounds`);
    const rounds = await interleave(variants, run.rounds, run.signal);
    const targets = targetsAgainst(['ours'], earlier, { figure: 'events/s', atLeast: 0.97 });
    const figures = ['events/s', 'peak MB'];
    return [{ title: titleOf(events, streams), figures, baseline: 'raw COPY', rounds, targets, missing: [] }];
  });
}

function sizeOf({ seconds }: SuiteRun): { readonly events: number; readonly streams: number } {
  const events = seconds === undefined ? all : Math.min(all, Math.ceil(seconds * perSecond));
  return { events, streams: Math.max(1, Math.floor(events / perStream)) };
}

/** Writes the history as that build stores it, and rebuilds once to warm up. */
async function prepare(run: SuiteRun, url: string, build?: EarlierBuild): Promise<void> {
  const { events, streams } = sizeOf(run);
  const fileOf = build === undefined ? compiled : (file: string) => build.fileOf(compiled(file));
  run.printProgress(`rebuild: writing ${events} events of ${streams} streams`);
  const history = (await import(pathToFileURL(fileOf('history.js')).href)) as typeof History;
  await history.makeHistory(url, events, streams);
  await runScript(fileOf('rebuilding.js'), url);
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

const titleOf = (events: number, streams: number): string =>
  `rebuild: ${events} events of ${streams} streams, BlueGreen`;

const sectionOf = (
  events: number,
  streams: number,
  rounds: Section['rounds'],
  missing: readonly Missing[],
): Section => ({
  title: `${titleOf(events, streams)} (Emmett: ${peerEvents} events)`,
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
