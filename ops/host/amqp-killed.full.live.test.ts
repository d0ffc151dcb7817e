import { suite } from '../../contracts/testing/suite.js';
import { withRabbitMq } from '../../runtime/testing/rabbitmq-server.js';
import { reportsAmqpOutage } from '../testing/amqp-outage.js';

const test = suite('host health and a killed AMQP broker');

test('with AMQP_URL the broker is checked too: red within 3 s when it is killed, green when it is back', () =>
  withRabbitMq(reportsAmqpOutage));
