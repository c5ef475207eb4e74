import type { Category } from '../../api/index.ts';
import { text } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, readBackIn } from '../listing.ts';
import { code, type Field, fieldList, paragraph, say, strong } from '../reply.ts';
import { happened, notHappened, nothing, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { allCategories, calledCategory, category, responsePolicy } from './sites.ts';

/** The verbs of this area are no categories; otherwise an unfinished `category add` would be read as one. */
const verbs = /^(?:add|move|delete|remove|create|compile|backup|list|show|ls|get|of|from|to|in)$/i;

const shownCategory: typeof category = {
  ...category,
  read: (typed) =>
    verbs.test(typed)
      ? { ok: false, problem: { code: 'malformed', wanted: 'the number or the name of a category' } }
      : category.read(typed),
};

export const list = lookup({
  phrase: 'category list',
  says: `
    categories / which categories exist / show categories / all categories / what categories do we have /
    list url categories / how many categories / list all categories / what categories are there /
    which categories can i use / is there a category for / is there a category named /
    names of the categories / kategorien / show me the categories / cats
  `,
  also: ['categories'],
  summary: 'List the web-filtering categories',
  answer: answeredFrom(
    () => allCategories,
    (look) => {
      const { all } = look;
      // Appliances report one half of the fields or the other (appliance-api.md §2.5), so empty columns are
      // left out.
      const columns = columnsFor(all);
      return {
        headline: countText(look, 'category', 'categories'),
        details: [
          {
            kind: 'table',
            columns: columns.map(({ name }) => name),
            rows: all.map((one) => columns.map(({ value }) => value(one))),
          },
        ],
      };
    },
  ),
});

export const show = lookup({
  phrase: 'category show <category>',
  byNameAlone: true,
  says: `
    show category <category> / what is in category <category> / how many sites has category <category> /
    details of category <category> / sites in category <category> / which sites are in <category> /
    what belongs to <category> / list sites of <category> / show me <category> /
    how big is category <category> / which domains does category <category> contain /
    content of category <category> / entries of category <category> / what is in <category> /
    whats in <category> / which domains are <category> / sites of <category> / who is in <category>
  `,
  also: ['category <category>'],
  args: { category: shownCategory },
  summary: 'Show one category: description, number of sites, DNS firewall action',
  example: 'category show shopping',
  answer: async ({ appliance, args, pendingChanges }) => {
    const [{ found }, waiting] = await Promise.all([
      allCategories.seek(appliance, ({ id }) => id === args.category.id),
      pendingChanges(),
    ]);
    if (found === undefined)
      return { headline: say`Category ${args.category.id} no longer exists on ${strong(appliance.name)}` };
    const isPending = waiting.some(({ what }) => what === `category:${found.id}`);
    const fields: readonly Field[] = [
      { name: 'ID', value: say`${found.id}` },
      ...columnsFor([found])
        .slice(2)
        .map(({ name, value }) => ({ name, value: value(found) })),
      { name: 'Stored in', value: found.table ? say`${code(found.table)}` : say`not reported` },
      ...(isPending ? [{ name: 'Not live yet', value: say`changes are not compiled yet` }] : []),
    ];
    return {
      headline: say`Category ${strong(calledCategory(found))}`,
      details: [
        fieldList(fields),
        paragraph`The appliance does not list the sites of a category. ${code('/appliance categorize example.com')} shows the categories of a site.`,
      ],
    };
  },
});

export const create = change({
  ...acting('Create', 'category', ({ name }: { readonly name: string }) => name),
  phrase: 'category create <name> [--description]',
  says: `
    create category <name> / new category <name> / add a category <name> / make a category called <name> /
    create a web filter category <name> / we need a category <name> / set up category <name> /
    create new web category <name> / add category called <name> / new list of sites <name> /
    open a category <name> / make a category for <name> / make a category <name> /
    we want a category for <name> / start a category <name> / need a category <name>
  `,
  args: {
    name: text('a name for the category', 'partners', 80),
    description: text('description', 'Portals of our partners', 200),
  },
  summary: 'Create a personal category',
  example: 'category create partners --description "Portals of our partners"',
  effect: 'write',
  preview: async ({ appliance, args }) => {
    const { all } = await allCategories.look(appliance);
    const same = all.find((one) => isCalled(one, args.name));
    if (same !== undefined) return nothing`Category ${strong(same.name)} already exists, number ${same.id}.`;
    return ready({
      question: say`Create category ${strong(args.name)}?`,
      fields: {
        Description: say`${args.description ?? 'none'}`,
        Note: say`The API cannot delete a category. Use the web console.`,
      },
      fingerprint: { name: args.name },
    });
  },
  run: ({ appliance, args }) =>
    appliance.categories.create({ name: args.name, description: args.description ?? '' }),
  verify: readBackIn<{ readonly name: string }, Category>(
    () => allCategories,
    async ({ seek }, { args }) => {
      const { found: made } = await seek((one) => isCalled(one, args.name));
      return made === undefined
        ? notHappened`Categories read back: there is no ${args.name}.`
        : happened`Categories read back: ${made.name} has the ID ${strong(String(made.id))}. ${code(`/appliance category add example.com to ${made.id}`)} adds a site. The API cannot delete a category.`;
    },
  ),
});

export const compile = change({
  phrase: 'category compile <category>',
  says: `
    compile category <category> / rebuild category <category> / apply category <category> /
    make category <category> live / category <category> is not live / activate category <category> /
    publish category <category> / deploy category <category>
  `,
  args: { category },
  summary: 'Compile a category so that the filter uses its sites',
  example: 'category compile shopping',
  effect: 'write',
  verb: 'Compile',
  doing: ({ category: one }) => say`Compiling category ${calledCategory(one)}`,
  done: ({ category: one }) => say`Category ${strong(calledCategory(one))} compiled`,
  preview: async ({ args: { category: one } }) =>
    ready({
      question: say`Compile category ${strong(calledCategory(one))}?`,
      fields: { Next: say`${code('/appliance filter compile')} applies it to the filtering rules.` },
      fingerprint: { id: one.id },
    }),
  run: ({ appliance, args }) => appliance.categories.compile({ id: args.category.id }),
  verify: { notCheckable: 'the API does not report when a category was last compiled' },
  satisfies: ({ category: { id } }) => [`category:${id}`],
});

export const backup = change({
  phrase: 'category backup',
  says: `
    backup categories / save all categories / export categories / dump categories / backup the categories /
    make a backup of all categories / save the category lists / back up url categories
  `,
  summary: 'Back up all categories to a folder on the appliance',
  effect: 'write',
  verb: 'Back up',
  doing: () => say`Backing up all categories`,
  done: () => say`All categories backed up to ${code(folder)} on the appliance`,
  preview: async ({ appliance }) => {
    const look = await allCategories.look(appliance);
    return ready({
      question: say`Back up ${look.all.length === 0 ? strong('all categories') : countText(look, 'category', 'categories')} to ${code(folder)}?`,
      fingerprint: {},
    });
  },
  run: ({ appliance }) => appliance.categories.backup(),
  verify: { notCheckable: 'the API cannot list the backup folder' },
});

/** appliance-api.md §4.3. */
const folder = '/home/appliance/backup-categories';

const isCalled = (one: Category, name: string): boolean =>
  one.name.toLowerCase() === name.trim().toLowerCase();

function columnsFor(all: readonly Category[]) {
  const columns = [
    { name: 'ID', value: ({ id }: Category) => say`${id}`, isTold: () => true },
    { name: 'Name', value: ({ name }: Category) => say`${name}`, isTold: () => true },
    {
      name: 'Description',
      value: ({ description }: Category) => say`${description ?? 'not reported'}`,
      isTold: ({ description }: Category) => description !== undefined,
    },
    {
      name: 'Sites',
      value: ({ items }: Category) => say`${items?.toLocaleString('en') ?? 'not reported'}`,
      isTold: ({ items }: Category) => items !== undefined,
    },
    { name: 'DNS firewall', value: responsePolicy, isTold: ({ rpz }: Category) => rpz !== undefined },
  ];
  return columns.filter(({ isTold }) => all.some(isTold));
}

export const deleteCategory = impossible({
  says: `
    delete category / remove the category / drop category / rename category / restore categories /
    restore category backup / change description of category / delete category <name> /
    delete the category <name> / remove category <name> / remove the whole category <name> /
    drop the category <name> / get rid of category <name> / rename category <name> to <other> /
    category <name> is not needed any more / we do not need the category <name> any more /
    merge category <name> with <other> / empty the category <name> / restore the category backup /
    disable category <name> / block category <name> / allow category <name> /
    block the category <name> for <somebody> / allow the whole category <name> / unblock category <name>
  `,
  why: 'The Web API can create a category and change its sites, but cannot delete, rename or restore one.',
  source: 'appliance-api.md §4.3',
  nearest: ['category show <category>', 'category list'],
});
