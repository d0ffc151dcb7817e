/** The `test` of a runner: that of node:test, vitest or Jest, or a suite of uvu. */
export type RunnerTest = (sentence: string, body: () => Promise<void>) => unknown;

/** Provides a new subject to a rule. */
export type WithSubject<T> = (body: (subject: T) => Promise<void>) => Promise<void>;

/** Every rule of a contract is its own test, on its own subject. */
export const contractRules =
  <T>(test: RunnerTest, withSubject: WithSubject<T>) =>
  (sentence: string, body: (subject: T) => Promise<void>): void =>
    void test(sentence, () => withSubject(body));
