import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** Names and values in turn, for answers that bypass the framework; most answers have none. */
    extraHeaders?: string[];
  }
}

/** Adds a header to an answer, also to one that bypasses the framework. */
export function addHeader(reply: FastifyReply, name: string, value: string): void {
  reply.header(name, value);
  (reply.extraHeaders ??= []).push(name, value);
}
