import { addReactions } from '../../../actors/reactions/add-reactions.js';
import { openLabelStore } from './store.js';

/** A host that does nothing but the effect. */
const [url = ''] = process.argv.slice(2);
const { service, dispatcher, effects } = await openLabelStore(url);
service.with(addReactions({ effects }, { dispatcher, host: 'bench' }));
process.stdout.write('{}\n');
