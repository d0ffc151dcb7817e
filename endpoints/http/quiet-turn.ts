/** A longer turn leaves time for bytes to arrive after the loop has looked for them. */
const shortMs = 5;
const maxMs = 500;

/**
 * Waits for a short turn of the event loop that read nothing: everything that had arrived has been read. Returns false
 * when there was none in so many turns or half a second.
 */
export async function quietTurn(countRead: () => number, maxTurns = 50): Promise<boolean> {
  const started = performance.now();
  for (let turns = 0; turns < maxTurns; turns++) {
    const before = countRead();
    const from = performance.now();
    await new Promise(setImmediate);
    const now = performance.now();
    if (countRead() === before && now - from < shortMs) return true;
    if (now - started > maxMs) return false;
  }
  return false;
}
