import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { credentialOf } from '../access/credentials.js';

/** An open stream whose caller is checked again. */
export interface Rechecked {
  readonly request: FastifyRequest;
  /** Throws, or returns false, when the caller may no longer watch. */
  check(): boolean | Promise<boolean>;
  end(): void;
}

/** The copies of roles and keys are read again after the same notification. */
const soonMs = 250;

/** Credentials expire and are revoked while a stream is open. */
export class Recheck {
  #isRunning = false;
  #isDue = false;

  constructor(private readonly all: () => readonly Rechecked[]) {}

  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.now();
    }, soonMs).unref();
  }

  now(): void {
    if (this.#isRunning) return this.soon();
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** A credential that failed is not tried again for each of its streams. */
  async #run(): Promise<void> {
    const failed = new Set<string>();
    for (const stream of this.all()) {
      const credential = credentialOf(stream.request.headers);
      const refused = () => credential !== undefined && failed.add(credential);
      const isKnown = credential !== undefined && failed.has(credential);
      if (isKnown || !(await isStillAllowed(stream, refused))) stream.end();
    }
  }
}

/** What cannot be checked at the moment stays as it is. */
async function isStillAllowed(stream: Rechecked, refused: () => unknown): Promise<boolean> {
  try {
    return await stream.check();
  } catch (error) {
    const isRefused = error instanceof Problem && (error.status === 401 || error.status === 403);
    if (isRefused) refused();
    return !isRefused;
  }
}
