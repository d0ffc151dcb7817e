import { contractRules, type RunnerTest, type WithSubject } from '../kit/contract-rules.js';
import { cursorRules } from './unit-lists/cursor-contract.js';
import { asideRules } from './unit-lists/aside-contract.js';
import { timerRules } from './unit-lists/timer-contract.js';
import { reservationRules } from './unit-lists/reservation-contract.js';
import { processRules } from './unit-lists/process-contract.js';
import { unitRules } from './unit-lists/unit-contract.js';
import type { StoreWithLists } from './unit-lists/units.js';

/** The contract of the lists of a unit, whatever the storage; each rule gets a new, empty store. */
export function unitListsContract(test: RunnerTest, withStore: WithSubject<StoreWithLists>): void {
  workListsContract(test, withStore);
  stateListsContract(test, withStore);
}

/** The lists of what is to be done: cursors, keys that are aside, timers. */
export function workListsContract(test: RunnerTest, withStore: WithSubject<StoreWithLists>): void {
  const rule = contractRules(test, withStore);
  cursorRules(rule);
  asideRules(rule);
  timerRules(rule);
}

/** The lists of what is: reservations and processes, and what all lists have in common. */
export function stateListsContract(test: RunnerTest, withStore: WithSubject<StoreWithLists>): void {
  const rule = contractRules(test, withStore);
  reservationRules(rule);
  processRules(rule);
  unitRules(rule);
}
