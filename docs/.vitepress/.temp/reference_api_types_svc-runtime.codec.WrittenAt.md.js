import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: WrittenAt","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.codec.WrittenAt.md","filePath":"reference/api/types/svc-runtime.codec.WrittenAt.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.codec.WrittenAt.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-writtenat" tabindex="-1">Type Alias: WrittenAt <a class="header-anchor" href="#type-alias-writtenat" aria-label="Permalink to &quot;Type Alias: WrittenAt&quot;">​</a></h1><blockquote><p><strong>WrittenAt</strong> = (<code>path</code>) =&gt; <code>string</code> | <code>undefined</code></p></blockquote><p>Looks up, by JSON Pointer, how a number was written if parsing changes its text: <code>4.10</code>, <code>1e3</code>, 20 digits.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>path</code></td><td><code>string</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>string</code> | <code>undefined</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.codec.WrittenAt.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_WrittenAt = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_WrittenAt as default
};
