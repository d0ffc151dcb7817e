import {
  Command,
  CommandEndpoint,
  newUuid,
  Permission,
  type Receptor,
  Sensitive,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { CustomerRegistered } from './events.js';

export interface RegisterCustomerResult {
  customerId: Uuid;
}

@CommandEndpoint<RegisterCustomer, RegisterCustomerResult>({
  restRoute: '/customers',
  permission: Permission.write('orders'),
})
export class RegisterCustomer extends Command {
  /**
   * @format email
   * @maxLength 254
   */
  @Sensitive()
  email!: string;
  /**
   * @minLength 1
   * @maxLength 200
   */
  @Sensitive()
  name!: string;
}

export class RegisterCustomerReceptor implements Receptor<RegisterCustomer, RegisterCustomerResult> {
  /** Ada@example.org and ada@example.org are one address: the second customer gets 409 already-reserved. */
  handle({ email, name }: RegisterCustomer, work: UnitOfWork): RegisterCustomerResult {
    const customerId = newUuid();
    work.reserve('email', email.toLowerCase(), { owner: customerId });
    work.append(customerId, CustomerRegistered.of({ customerId, email, name }), { expectedPosition: 0 });
    return { customerId };
  }
}
