/** The public exports of the package. Everything else stays inside. */

export { NotThere } from '../../../sandbox/person.ts';
export { NoSuchOption } from '../../../sandbox/workspace/seen/values.ts';
export type { BadDays, Times } from './bad-days.ts';
export type { ChannelOptions, PersonOptions, UserGroupOptions, WorkspaceOptions } from './options.ts';
export type { Person, TypedWith, Wait } from './person.ts';
export type { Home, Message } from './seen.ts';
export { startWorkspace } from './start.ts';
export type { ChannelChange, Delivery, PersonChange, Workspace } from './workspace.ts';
