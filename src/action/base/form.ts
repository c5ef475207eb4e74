import type { PostedFile } from '../../handlers/lists/posted-file.ts';
import type { Text } from '../../handlers/reply.ts';

/** A form, made from the declaration of a command (`forms.ts`). */
export interface Form {
  /** What the form was opened for is in the journal, under this token. */
  readonly token: string;
  readonly title: string;
  readonly submit: string;
  /** What the command does, and where. */
  readonly explanation: Text;
  readonly inputs: readonly Input[];
}

/** More characters do not fit into an input (slack-facts.md §2). */
export const longestEntered = 3_000;

/** More do not fit into a picker (slack-facts.md §2). */
export const mostChoices = 100;

/** The input in which the values of another one may come as a file. */
export const fileInputOf = (name: string): string => `${name}.file`;

/** One input of a form, under the name of its slot. */
export interface Input {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional: boolean;
  readonly kind:
    | { readonly is: 'line' | 'paragraph'; readonly initial?: string; readonly placeholder?: string }
    /** Slack draws no hidden input; what is typed is not shown again. */
    | { readonly is: 'secret' }
    | { readonly is: 'choice'; readonly among: readonly string[]; readonly initial?: string }
    /** Searched live, in what the appliance lists. */
    | {
        readonly is: 'search';
        readonly initial: readonly Choosable[];
        readonly several: boolean;
        /** What to type; the name or number of something, unless told. */
        readonly placeholder?: string;
      }
    | { readonly is: 'flag'; readonly text: string; readonly initial: boolean }
    | { readonly is: 'file'; readonly endings: readonly string[] };
}

/** Something that can be picked: the word that it stands for in a line, and what a person reads. */
export interface Choosable {
  readonly word: string;
  readonly label: string;
  /** The heading that it stands under. Either all choices of a list have one, or none has. */
  readonly group?: string;
}

/** What stands in a form, by the names of its inputs. What is left empty is absent. */
export interface Entered {
  /** What was typed, as it was typed, and the words of what was picked. A ticked flag has one empty word. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, PostedFile>>;
}

/** Somebody types into a picker of a form. */
export interface Query {
  readonly person: string;
  readonly token: string;
  readonly input: string;
  /** What was typed so far; empty when the picker was only opened. */
  readonly typed: string;
  /** The rest of the form, as far as the chat tells. */
  readonly entered: Entered;
}
