import { committed } from '../../proof/recorded-runs.js';
import type { Section } from '../harness/report.js';
import { publishBench } from './bench-page.js';
import { measuredHere, readBench, recordedSection, withSections, writeBench } from './recorded-bench.js';

/** Refuses at once if no commit has what is measured. */
export function publisher(): (sections: readonly Section[]) => Promise<void> {
  const measured = measuredHere(committed());
  return async (sections) => {
    const added = sections.map((section) => recordedSection(section, measured));
    await writeBench(withSections(await readBench(), added));
    await publishBench();
  };
}
