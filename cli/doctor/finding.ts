/** The result of a check: in order, wrong, or worth a look. */
export interface Finding {
  readonly is: 'right' | 'wrong' | 'note';
  readonly says: string;
}
export const right = (says: string): Finding => ({ is: 'right', says });
export const wrong = (says: string): Finding => ({ is: 'wrong', says });
export const note = (says: string): Finding => ({ is: 'note', says });
