import type { Uuid } from '../../contracts/scalars.js';
import type { ChainHead } from '../audit/chain.js';
import type { ReceivedHead } from '../inbox/inbox.js';
import { keyFromSeed, newSeed } from '../trust/ed25519.js';
import { signHead } from '../trust/signed-head.js';

/** Signs the heads of a store with a new key, as its subscribers receive them. */
export function headSigner(storeId: Uuid): (head: ChainHead) => ReceivedHead {
  const key = { storeId, ...keyFromSeed(newSeed()) };
  return ({ position, hash }) => {
    const history = { epoch: 1, forks: '', publishedTo: position };
    const proof = signHead({ position, hash, at: '2026-03-01T09:30:00.000Z', history }, key);
    return { position, hash, proof };
  };
}
