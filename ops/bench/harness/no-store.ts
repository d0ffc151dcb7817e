import { Problem } from '../../../contracts/problems.js';
import type { UnitStore } from '../../../contracts/unit-store.js';

export const never = (): never => {
  throw new Problem('invalid-setup', { detail: 'Nothing is stored in this bench.' });
};

export const noStore: UnitStore = {
  commit: never,
  append: never,
  read: never,
  readAll: never,
  lastPosition: never,
};
