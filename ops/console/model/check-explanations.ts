/** What each check of ours asks. */
const explanations: Readonly<Record<string, string>> = {
  svc_relational_db: 'Does the database answer, and accept writes?',
  svc_replication: 'Is there a standby, as SVC_DURABILITY promises?',
  store_history: 'Does the database still hold what this host has seen in it?',
  cloud_servicebus: 'Does the message broker answer?',
  amqp_broker: 'Does the AMQP broker answer?',
  subscriptions: 'Are all subscriptions up, and is there room for dead letters?',
  outbox_age: 'How long does the oldest unsent message wait?',
  received: 'Did everything arrive that other stores announced, and does no other store use this name?',
  broadcast: 'Do all hosts of the store publish system events, or none?',
  clock_skew: 'How far are the clocks apart?',
  perspective_lag: 'How far are the perspectives behind the log?',
  reactions: 'Does a reaction or process fail, or wait for long?',
  timers: 'Is a timer parked or late?',
  effects: 'Is a request of an effect parked, or more than a minute late?',
  leases: 'Does this host keep the leases of what follows the log?',
  event_loop: 'Does the process answer in time, or is it busy?',
  agent_tools: 'Which tools do agents have? The digest changes with their names, texts and schemas.',
  commands: 'Is a command quarantined because it took down several hosts?',
  host: 'Does the host answer?',
};

/** Checks of the application explain themselves. */
export const explanationOf = (check: string): string | undefined => explanations[check];
