import { Problem } from '../../contracts/problems.js';

/** The result of the promise, or a problem after the timeout. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Problem('deadline-exceeded', { detail: `No answer within ${ms} ms.` })),
      ms,
    );
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
