// The lint rules of this house that oxlint does not bring: who may import whom, and where the clock and the clients stand.
// Which rule holds in which folder is said in .oxlintrc.json.
import { dirname, posix, relative, resolve, sep } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

const schema = [
  {
    type: 'object',
    properties: {
      never: { type: 'array', items: { type: 'string' } },
      except: { type: 'array', items: { type: 'string' } },
    },
    required: ['never'],
    additionalProperties: false,
  },
] as const;

interface Node {
  readonly range: [number, number];
}

interface Border {
  readonly never: readonly string[];
  readonly except?: readonly string[];
}

/** A relative import becomes a path from the root of the repository; a package keeps its name. */
function target(specifier: string, file: string, root: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, resolve(dirname(file), specifier))
    .split(sep)
    .join(posix.sep);
}

const covers = (entry: string, name: string): boolean =>
  entry === '*' || name === entry || name.startsWith(`${entry}/`);

/** What an import, a re-export or a dynamic import names; '' where it is not a literal, or nothing is imported. */
function specifierOf(node: Node): string {
  if (!('source' in node) || typeof node.source !== 'object' || node.source === null) return '';
  return 'value' in node.source && typeof node.source.value === 'string' ? node.source.value : '';
}

const imports: Rule = {
  meta: { type: 'problem', schema: [...schema] },
  create(context) {
    const [{ never, except = [] }] = context.options as unknown as [Border];
    const check = (node: Node): void => {
      const name = target(specifierOf(node), context.filename, context.cwd);
      if (name === '' || !never.some((entry) => covers(entry, name)) || except.some((entry) => covers(entry, name)))
        return;
      context.report({ node, message: `This layer does not import "${name}".` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

const clock: Rule = {
  meta: { type: 'problem' },
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return;
        context.report({ node, message: 'The current time is an argument: `new Date()` stands in handlers only.' });
      },
      CallExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date') return;
        context.report({ node, message: 'The current time is an argument: `Date()` stands in handlers only.' });
      },
    };
  },
};

const clients: Rule = {
  meta: { type: 'problem' },
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.type !== 'Identifier' || !node.callee.name.endsWith('Client')) return;
        context.report({ node, message: 'A client is an argument: it is made in handlers and in a sensor only.' });
      },
    };
  },
};

const partition: Rule = {
  meta: { type: 'problem' },
  create(context) {
    const check = (node: Node, text: unknown): void => {
      if (typeof text !== 'string' || !/^arn:aws\b/u.test(text)) return;
      context.report({
        node,
        message: 'The partition is the account’s: `arn:*:` for sensors, `Aws.PARTITION` in lib.',
      });
    };
    return {
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

export default { meta: { name: 'house' }, rules: { imports, clock, clients, partition } };
