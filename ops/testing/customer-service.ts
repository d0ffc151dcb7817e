import { type Decode, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { isEventOf } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Receptor } from '../../contracts/receptor.js';
import { hide, redactArray, redactObject } from '../../contracts/redaction.js';
import type { Uuid } from '../../contracts/scalars.js';
import { endpoint, receptor, redaction } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';

@CommandEndpoint<RegisterCustomer, unknown>({ restRoute: '/customers' })
class RegisterCustomer extends Command {
  customerId!: Uuid;
  city!: string;
  email!: string;
}

/** Answers with what a receptor reads of the customer. */
@CommandEndpoint<ReadCustomer, unknown>({ restRoute: '/customers/read' })
class ReadCustomer extends RegisterCustomer {}

class CustomerRegistered extends Event {
  customerId!: Uuid;
  city!: string;
  email!: string | null;
  contacts!: readonly { readonly phone: string | null }[];
}

interface CustomerRow {
  readonly city: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly events: number;
}

const register: Receptor<RegisterCustomer, unknown> = {
  handle: ({ customerId, city, email }, work) => {
    const contacts = [{ phone: `phone of ${email}` }];
    work.append(customerId, CustomerRegistered.of({ customerId, city, email, contacts }));
    return { status: 'registered' };
  },
};

const read: Receptor<ReadCustomer, unknown> = {
  handle: async ({ customerId }, work) => {
    const emails: (string | null)[] = [];
    for await (const event of work.read(customerId))
      if (isEventOf(event, CustomerRegistered)) emails.push(event.payload.email);
    return { emails };
  },
};

const customers: Perspective<CustomerRow, CustomerRegistered> = {
  name: 'customers',
  events: [CustomerRegistered],
  origin: 'all',
  route: '/customers',
  permission: 'public',
  snapshotEvery: 1,
  initial: () => ({ city: '', email: null, phone: null, events: 0 }),
  apply: ({ events }, { payload: { city, email, contacts } }) => ({
    city,
    email,
    phone: contacts[0]?.phone ?? null,
    events: events + 1,
  }),
};

/** Rows of several streams. */
const cities: Perspective<{ readonly emails: readonly (string | null)[] }, CustomerRegistered> = {
  name: 'cities',
  events: [CustomerRegistered],
  route: '/cities',
  permission: 'public',
  late: 'apply',
  key: ({ payload }) => payload.city,
  initial: () => ({ emails: [] }),
  apply: ({ emails }, { payload }) => ({ emails: [...emails, payload.email] }),
};

const decodeAs =
  <T extends RegisterCustomer>(create: () => T): Decode<T> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    if (from === undefined) return invalid;
    const member = (name: string) => text(from[name], `${path}/${name}`, faults);
    return Object.assign(create(), {
      customerId: member('customerId'),
      city: member('city'),
      email: member('email'),
    });
  };

const withoutContact = (message: unknown): unknown =>
  redactObject(message, {
    email: hide,
    contacts: (contacts) => redactArray(contacts, (one) => redactObject(one, { phone: hide })),
  });

const definition: ServiceDefinition = {
  name: 'customers',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: RegisterCustomer,
        endpoint: new HookedEndpoint<RegisterCustomer>(dispatcher, {}),
        decode: decodeAs(() => new RegisterCustomer()),
      }),
      endpoint({
        command: ReadCustomer,
        endpoint: new HookedEndpoint<ReadCustomer>(dispatcher, {}),
        decode: decodeAs(() => new ReadCustomer()),
      }),
    ],
    receptors: [receptor(RegisterCustomer, register), receptor(ReadCustomer, read)],
    perspectives: [customers, cities],
    events: [CustomerRegistered],
    redactions: [
      redaction(RegisterCustomer, withoutContact),
      redaction(ReadCustomer, withoutContact),
      redaction(CustomerRegistered, withoutContact),
    ],
    sealed: [
      {
        type: CustomerRegistered,
        fields: [
          { path: ['email'], subject: 'customerId', subjectIn: 'object' },
          { path: ['contacts', null, 'phone'], subject: 'customerId', subjectIn: 'event' },
        ],
      },
    ],
  }),
};

export default definition;
