import { Problem } from '../../contracts/problems.js';

export const outdatedSchema = (why: string, cause?: unknown): Problem =>
  new Problem('invalid-setup', {
    detail: `The GraphQL schema does not fit the service: ${why}. Generate it again.`,
    cause,
  });
