/** What a run of an engine has found, and what it went through. */
export interface EngineRun {
  readonly found: readonly string[];
  /** What was done. */
  readonly work: number;
  readonly faults: number;
}

const mostFound = 20;

/** Rules that were broken, each once. */
export class Findings {
  readonly #found = new Set<string>();

  get all(): readonly string[] {
    return [...this.#found];
  }

  must(isSo: boolean, rule: string): void {
    if (!isSo && this.#found.size < mostFound) this.#found.add(rule);
  }
}
