import {
  type Choices,
  type FormField,
  type FormProblems,
  type FormValues,
  isTold,
  most,
  suffixIn,
} from '../ask-form.ts';
import { type Html, html, type Page } from './document.ts';

export interface FormPage {
  readonly entered: FormValues;
  readonly choices: Choices;
  /** Allows one submission. */
  readonly token: string;
  readonly address: string;
  readonly problems?: FormProblems;
  /** Why it is shown again, if no field is wrong. */
  readonly notSent?: string;
}

export function formPage({ entered, choices, token, address, problems = {}, notSent }: FormPage): Page {
  const { site, name, reason, lasts, user } = entered;
  const asked = [...(isTold(user) ? [`the user name ${user}, as the block page says`] : [])];
  const told = ['your name', 'the reason', `the network address ${address}`, ...asked];
  const headline = 'Ask for access to a website';
  const hasProblems = notSent !== undefined || Object.keys(problems).length > 0;
  return {
    title: hasProblems ? `Not sent yet: ${headline}` : headline,
    content: html`<h1>${headline}</h1>
${hasProblems ? problemList(problems, notSent) : undefined}
<p>Your request goes to the people who look after web access here. They decide, and the next page shows you their answer.</p>
<form method="post" action="/ask">
<input type="hidden" name="form" value="${token}">
<input type="hidden" name="user" value="${user}">
${problems.site === undefined ? undefined : html`<input type="hidden" name="suffix" value="${suffixIn(entered)}">`}
${field('site', 'Website', problems, 'For example: example.com', (more) => html`<input id="site" name="site" type="text" value="${site}" maxlength="${most.url}" inputmode="url" autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="off" required${more}>`)}
${field('name', 'Your name', problems, undefined, (more) => html`<input id="name" name="name" type="text" value="${name}" maxlength="${most.name}" autocomplete="name" required${more}>`)}
${field('reason', 'What do you need it for?', problems, 'One sentence is enough. Do not enter passwords.', (more) => html`<textarea id="reason" name="reason" rows="3" maxlength="${most.reason}" required${more}>${reason}</textarea>`)}
${field('lasts', 'How long do you need it?', problems, undefined, (more) => html`<select id="lasts" name="lasts"${more}>${options(choices, lasts)}</select>`)}
<button>Send request</button>
</form>
<p class="small">Those who decide see ${listed(told)}.</p>`,
  };
}

/** Comes first, so that it is read first. */
function problemList(problems: FormProblems, notSent?: string): Html {
  const entries = Object.entries(problems).map(
    ([name, wrong]) => html`<li><a href="#${name}">${wrong}</a></li>`,
  );
  return html`<section class="problems" role="alert"><h2>Not sent yet</h2>
${notSent === undefined ? undefined : html`<p>${notSent}</p>`}
${entries.length === 0 ? undefined : html`<ul>${entries}</ul>`}</section>`;
}

function field(
  name: FormField,
  label: string,
  problems: FormProblems,
  hint: string | undefined,
  input: (more: Html) => Html,
): Html {
  const wrong = problems[name];
  const described = [...(wrong ? [`${name}-wrong`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
  const more = html`${described === '' ? undefined : html` aria-describedby="${described}"`}${wrong ? html` aria-invalid="true"` : undefined}`;
  return html`<label for="${name}">${label}</label>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined}
${wrong ? html`<p class="wrong" id="${name}-wrong">${wrong}</p>` : undefined}
${input(more)}`;
}

const options = (choices: Choices, chosen: string): readonly Html[] =>
  [...choices].map(
    ([value, { says }]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${says}</option>`,
  );

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
