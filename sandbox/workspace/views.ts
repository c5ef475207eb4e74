import { randomBytes } from 'node:crypto';
import { checkBlocks, viewProblems } from './blocks.ts';
import type { Changes } from './changes.ts';
import { appId, botId, team } from './people.ts';
import type { Block, OpenView, ViewState } from './protocol.ts';
import { Refusal, refuseWith } from './refusal.ts';
import { completeState } from './view-state.ts';

/** A view as an app describes it, checked. */
export type ViewContent = Readonly<Record<string, unknown>> & {
  readonly type: 'modal' | 'home';
  readonly blocks: readonly Block[];
};

/** A modal before somebody's eyes, or their App Home. Only this file changes one. */
export interface StoredView {
  readonly id: string;
  readonly user: string;
  content: ViewContent;
  hash: string;
  state: ViewState;
  errors: Readonly<Record<string, string>>;
  readonly previous: string | undefined;
  readonly root: string;
}

/** Limits of views (slack-facts.md §2). */
const viewLimits = { bytes: 250 * 1024, stack: 3 } as const;

/** The modals and App Homes of everybody. */
export class Views {
  readonly #now: () => number;
  readonly #changes: Changes;
  /** Open modals of a person, the top one last. */
  readonly #stacks = new Map<string, StoredView[]>();
  readonly #homes = new Map<string, StoredView>();
  #hashes = 0;

  constructor(now: () => number, changes: Changes) {
    this.#now = now;
    this.#changes = changes;
  }

  stack(user: string): readonly StoredView[] {
    return this.#stacks.get(user) ?? [];
  }

  home(user: string): StoredView | undefined {
    return this.#homes.get(user);
  }

  /** An open view by its ID or, given that, its external ID. */
  find(id: string | undefined, externalId?: string): StoredView | undefined {
    for (const view of this.#all()) {
      if (id === undefined ? view.content.external_id === externalId : view.id === id) return view;
    }
    return undefined;
  }

  /** Opens a modal, and closes this person's other one. */
  open(user: string, content: ViewContent): StoredView {
    this.#refuseTakenExternalId(content);
    const id = this.#newId();
    const view = this.#make(id, user, content, undefined, id);
    this.#stacks.set(user, [view]);
    this.#changes.tell({ type: 'view', user });
    return view;
  }

  /** Puts a modal on top of the open ones. Refuses with push_limit_reached. */
  push(user: string, content: ViewContent): StoredView {
    const stack = this.#stacks.get(user) ?? [];
    const top = stack.at(-1);
    if (top === undefined) return this.open(user, content);
    if (stack.length >= viewLimits.stack) throw new Refusal('push_limit_reached');
    this.#refuseTakenExternalId(content);
    const view = this.#make(this.#newId(), user, content, top.id, top.root);
    this.#stacks.set(user, [...stack, view]);
    this.#changes.tell({ type: 'view', user });
    return view;
  }

  /** Replaces the content of a view. Typed values stay where block_id, action_id and type are the same. */
  update(view: StoredView, content: ViewContent): StoredView {
    this.#refuseTakenExternalId(content, view);
    view.state = completeState(content.blocks, view.state);
    view.content = content;
    view.hash = this.#newHash();
    view.errors = {};
    this.#changes.tell(
      content.type === 'home' ? { type: 'home', user: view.user } : { type: 'view', user: view.user },
    );
    return view;
  }

  publish(user: string, content: ViewContent): StoredView {
    const known = this.#homes.get(user);
    if (known !== undefined) return this.update(known, content);
    const id = this.#newId();
    const view = this.#make(id, user, content, undefined, id);
    this.#homes.set(user, view);
    this.#changes.tell({ type: 'home', user });
    return view;
  }

  close(view: StoredView): void {
    const rest = this.stack(view.user).filter((other) => other !== view);
    this.#stacks.set(view.user, rest);
    this.#changes.tell({ type: 'view', user: view.user });
  }

  clear(user: string): void {
    this.#stacks.delete(user);
    this.#changes.tell({ type: 'view', user });
  }

  showErrors(view: StoredView, errors: Readonly<Record<string, string>>): void {
    view.errors = errors;
    this.#changes.tell({ type: 'view', user: view.user });
  }

  /** Takes over what a person entered. */
  enter(view: StoredView, state: ViewState): void {
    view.state = completeState(view.content.blocks, state, view.state);
    this.#changes.tell(
      view.content.type === 'home' ? { type: 'home', user: view.user } : { type: 'view', user: view.user },
    );
  }

  #make(
    id: string,
    user: string,
    content: ViewContent,
    previous: string | undefined,
    root: string,
  ): StoredView {
    const state = completeState(content.blocks, {});
    return { id, user, content, hash: this.#newHash(), state, errors: {}, previous, root };
  }

  *#all(): Generator<StoredView> {
    for (const stack of this.#stacks.values()) yield* stack;
    yield* this.#homes.values();
  }

  #refuseTakenExternalId(content: ViewContent, except?: StoredView): void {
    const { external_id: externalId } = content;
    if (typeof externalId !== 'string' || externalId === '') return;
    const taken = this.find(undefined, externalId);
    if (taken !== undefined && taken !== except) throw new Refusal('duplicate_external_id');
  }

  #newId(): string {
    return `V0${randomBytes(5).toString('hex').toUpperCase()}`;
  }

  #newHash(): string {
    this.#hashes += 1;
    return `${Math.floor(this.#now() / 1000)}.${String(this.#hashes).padStart(8, '0')}`;
  }
}

/** Checks a view an app sent. Refuses with invalid_arguments (with pointers) or view_too_large. */
export function acceptView(given: unknown, type: 'modal' | 'home'): ViewContent {
  if (JSON.stringify(given ?? null).length > viewLimits.bytes) throw new Refusal('view_too_large');
  const problems = viewProblems(given, type);
  if (problems.length > 0) throw refuseWith('invalid_arguments', problems);
  // The schema has just said so.
  const view = given as ViewContent;
  const checked = checkBlocks(view.blocks, type, '/view/blocks');
  if (checked.problems.length > 0) throw refuseWith('invalid_arguments', checked.problems);
  if (type === 'modal' && view.submit === undefined && view.blocks.some((block) => block.type === 'input')) {
    throw refuseWith('invalid_arguments', ['missing required field: submit [json-pointer:/view]']);
  }
  return { ...view, blocks: checked.blocks };
}

/** A view as Slack's answers and payloads carry it. */
export function viewPayload(view: StoredView): Record<string, unknown> {
  const { content } = view;
  return {
    id: view.id,
    team_id: team.id,
    type: content.type,
    blocks: content.blocks,
    private_metadata: content.private_metadata ?? '',
    callback_id: content.callback_id ?? '',
    state: { values: view.state },
    hash: view.hash,
    title: content.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: content.clear_on_close ?? false,
    notify_on_close: content.notify_on_close ?? false,
    close: content.close ?? null,
    submit: content.submit ?? null,
    previous_view_id: view.previous ?? null,
    root_view_id: view.root,
    app_id: appId,
    external_id: content.external_id ?? '',
    app_installed_team_id: team.id,
    bot_id: botId,
  };
}

/** A modal as the page draws it. */
export function openView(view: StoredView): OpenView {
  return {
    id: view.id,
    view: { ...view.content, type: 'modal', title: view.content.title },
    errors: view.errors,
    state: view.state,
  };
}
