import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

let drawn = 0;

/** A diagram of Mermaid, drawn in the reader's browser, light or dark like the page. Its text stands there until then, and where scripts are off. */
export const diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup: ({ text }) => {
    const { isDark } = useData();
    const picture = ref<string>();
    const draw = async () => {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: isDark.value ? 'dark' : 'neutral',
        // Wider than the page, it is scrolled: made smaller, nobody could read it.
        state: { useMaxWidth: false },
      });
      drawn += 1;
      picture.value = (await mermaid.render(`diagram-${drawn}`, text)).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    return () =>
      picture.value === undefined
        ? h('pre', { class: 'diagram' }, text)
        : h('div', { class: 'diagram', innerHTML: picture.value });
  },
});
