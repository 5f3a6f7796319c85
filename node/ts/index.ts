/**
 * Sandboxes for commands you do not trust.
 *
 * A list is a program and its arguments, a text is a script for `sh -c`. A command's failure is a result; an error says
 * that it could not be run. Times are milliseconds, and their names say so.
 *
 * @packageDocumentation
 */

export * from './errors';
export * from './objects';
export * from './records';
export { Stream, type CallOptions } from './runtime';
export type { Command, Size } from './types';
