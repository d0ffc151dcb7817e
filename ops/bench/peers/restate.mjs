import { object, serve, service } from '@restatedev/restate-sdk';

// The handlers that the Restate server calls. This process returns the times it has taken when asked.
const [port] = process.argv.slice(2);
const times = [];

const orders = object({
  name: 'orders',
  handlers: {
    place: async (ctx, { note }) => {
      ctx.set('placed', ((await ctx.get('placed')) ?? 0) + 1);
      ctx.set('note', note);
      return { orderId: ctx.key };
    },
  },
});

const reminders = service({
  name: 'reminders',
  handlers: {
    remind: async (_ctx, { due }) => {
      times.push(Date.now() - due);
    },
  },
});

const fulfilments = service({
  name: 'fulfilments',
  handlers: {
    fulfil: async (ctx, { orderId, began }) => {
      await ctx.run('reserve', () => `${orderId} reserved`);
      await ctx.run('charge', () => `${orderId} charged`);
      await ctx.run('ship', () => {
        times.push(Date.now() - began);
        return `${orderId} shipped`;
      });
    },
  },
});

await serve({ services: [orders, reminders, fulfilments], port: Number(port) });
process.on('message', () => process.send(times.splice(0)));
process.send('ready');
