import { Command, CommandEndpoint, type Decimal, type Int, Permission, type Uuid } from 'svc-runtime';

export interface LineItem {
  productId: string;
  /** @minimum 1 */
  quantity: Int;
  unitPrice: Decimal;
}

export interface Address {
  street: string;
  city: string;
  state: string;
  zipCode: string;
}

export interface CreateOrderResult {
  orderId: Uuid;
  total: Decimal;
  status: 'created';
}

@CommandEndpoint<CreateOrder, CreateOrderResult>({
  restRoute: '/orders',
  graphQLMutation: 'createOrder',
  permission: Permission.write('orders'),
})
export class CreateOrder extends Command {
  customerId!: Uuid;
  /** @minItems 1 */
  lineItems!: LineItem[];
  shippingAddress!: Address;
}
