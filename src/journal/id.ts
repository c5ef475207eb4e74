import { randomBytes } from 'node:crypto';

/** 128 bits nobody can guess: for actions, and for what their buttons carry. */
export const newId = (): string => randomBytes(16).toString('base64url');
