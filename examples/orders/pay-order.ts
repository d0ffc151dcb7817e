import { Command, CommandEndpoint, Permission, type Uuid } from 'svc-runtime';

export interface PayOrderResult {
  orderId: Uuid;
  status: 'paid';
}

@CommandEndpoint<PayOrder, PayOrderResult>({
  restRoute: '/orders/pay',
  permission: Permission.write('orders'),
})
export class PayOrder extends Command {
  orderId!: Uuid;
}
