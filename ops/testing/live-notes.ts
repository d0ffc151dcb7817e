import { type Decode, invalid, object } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import type { Perspective } from '../../contracts/perspective.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher, Receptor } from '../../contracts/receptor.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { authenticate } from './test-credentials.js';

/** What a note says from now on; one without a text is erased. */
export interface Note {
  readonly noteId: string;
  readonly text: string;
  readonly shelf: string;
  readonly n: number;
  readonly userId: string;
}

@CommandEndpoint<WriteNote, unknown>({ restRoute: '/write', permission: Permission.write('notes') })
class WriteNote extends Command {
  note!: Note;
}

class NoteWritten extends Event {
  note!: Note;
}

const write: Receptor<WriteNote, unknown> = {
  handle: ({ note }, work) => {
    work.append(note.noteId, NoteWritten.of({ note }));
    return {};
  },
};

const decode: Decode<WriteNote> = (value, path, faults) => {
  const from = object(value, path, faults);
  return from === undefined ? invalid : Object.assign(new WriteNote(), { note: from });
};

/** Rows with this text cannot be folded until it is allowed. */
export const unreadable = { text: 'unreadable', isAllowed: false };

const notes = {
  events: [NoteWritten],
  permission: Permission.read('notes'),
  initial: (): Note => ({ noteId: '', text: '', shelf: '', n: 0, userId: '' }),
  apply: (_: Note, { payload: { note } }: StoredEvent<NoteWritten>): Note | null => {
    if (note.text === unreadable.text && !unreadable.isAllowed)
      throw new Problem('unexpected', { detail: 'It cannot be read.' });
    return note.text === '' ? null : note;
  },
};

const columns: Perspective<Note>['columns'] = {
  shelf: { type: 'text', of: ({ shelf }) => shelf },
  n: { type: 'integer', of: ({ n }) => n },
  userId: { type: 'text', of: ({ userId }) => userId },
};

const allNotes: Perspective<Note, NoteWritten> = { ...notes, columns, name: 'notes', route: '/notes' };

const ownNotes: Perspective<Note, NoteWritten> = {
  ...notes,
  columns,
  name: 'own-notes',
  route: '/own-notes',
  filters: ScopeFilters.User,
};

/** Notes that start with the name of a reader are for that reader. */
const addressedNotes: Perspective<Note, NoteWritten> = {
  ...notes,
  name: 'addressed-notes',
  route: '/addressed-notes',
  authorize: ({ text }, { userId = '?' }) => text.startsWith(userId),
};

/** The newest note of each shelf: a row of many streams. */
const shelves: Perspective<Note, NoteWritten> = {
  ...notes,
  columns,
  name: 'shelves',
  route: '/shelves',
  key: ({ payload }) => payload.note.shelf,
  late: 'apply',
};

/** A service whose read models are watched. */
export const liveNotes: ServiceDefinition = {
  name: 'live-notes',
  create: (dispatcher: Dispatcher) => ({
    endpoints: [endpoint({ command: WriteNote, endpoint: new HookedEndpoint(dispatcher, {}), decode })],
    receptors: [receptor(WriteNote, write)],
    perspectives: [allNotes, ownNotes, addressedNotes, shelves],
    events: [NoteWritten],
  }),
};

export const guardedNotes: ServiceDefinition = { ...liveNotes, authenticate };
