import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Writable<T>","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.codec.Writable.md","filePath":"reference/api/types/svc-runtime.codec.Writable.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.codec.Writable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-writable-t" tabindex="-1">Type Alias: Writable&lt;T&gt; <a class="header-anchor" href="#type-alias-writable-t" aria-label="Permalink to &quot;Type Alias: Writable\\&lt;T\\&gt;&quot;">​</a></h1><blockquote><p><strong>Writable</strong>&lt;<code>T</code>&gt; = <code>{ -readonly [K in keyof T]: T[K] }</code></p></blockquote><p>For decoders, which fill in what all other code only reads.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="t"></a> <code>T</code></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.codec.Writable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_Writable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_Writable as default
};
