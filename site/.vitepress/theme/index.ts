import DefaultTheme from 'vitepress/theme';
import { diagram } from './diagram.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }: { app: { component: (name: string, of: unknown) => void } }) => {
    app.component('MermaidDiagram', diagram);
  },
};
