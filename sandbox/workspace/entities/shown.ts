/** Entities as the server and the page speak of them (see ../protocol.ts). */

/** A Work Object: something of the app's own that a message is about. */
export interface Entity {
  /** The app's own (`external_ref`). */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Values by their labels. */
  readonly fields: Readonly<Record<string, string>>;
  /** The primary buttons first, then those of the menu. */
  readonly buttons?: readonly EntityButton[];
}

interface EntityButton {
  readonly text: string;
  readonly action_id: string;
  readonly value?: string | undefined;
}

/** The app's details for one person of an entity that they opened. */
export type EntityDetails =
  | { readonly state: 'asked' }
  | { readonly state: 'shown'; readonly entity: Entity }
  | { readonly state: 'sign_in'; readonly url: string }
  | { readonly state: 'failed'; readonly status: string; readonly says?: string };
