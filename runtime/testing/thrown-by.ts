import { Problem } from '../../contracts/problems.js';

/** The problem that an action ends with. */
export async function thrownBy(act: () => unknown): Promise<Problem> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Problem('unexpected', { detail: 'Nothing was thrown.' });
}
