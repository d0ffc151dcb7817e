export { commandHandler, type HandlerMessage, type Ticket } from './command-handler.js';
export { type DispatcherPorts, LocalDispatcher } from './dispatcher.js';
