import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createOrder, tellPort } from '../baselines/order.mjs';

// Decorators are called by hand: this file is run as it stands. Nothing is validated, in favour of the peer.
function CreateOrder(body) {
  Object.assign(this, body);
}

class CreateOrderHandler {
  async execute(command) {
    return createOrder(command);
  }
}
CommandHandler(CreateOrder)(CreateOrderHandler);

class OrdersController {
  constructor(bus) {
    this.bus = bus;
  }

  create(body) {
    return this.bus.execute(new CreateOrder(body));
  }
}
Inject(CommandBus)(OrdersController, undefined, 0);
const create = Object.getOwnPropertyDescriptor(OrdersController.prototype, 'create');
Post()(OrdersController.prototype, 'create', create);
HttpCode(200)(OrdersController.prototype, 'create', create);
Body()(OrdersController.prototype, 'create', 0);
Controller('orders')(OrdersController);

function AppModule() {}
Module({ imports: [CqrsModule.forRoot()], controllers: [OrdersController], providers: [CreateOrderHandler] })(
  AppModule,
);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
tellPort(app.getHttpServer().address().port);
