import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: show","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.show.md","filePath":"reference/api/variables/svc-runtime.codec.show.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.show.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-show" tabindex="-1">Variable: show <a class="header-anchor" href="#variable-show" aria-label="Permalink to &quot;Variable: show&quot;">​</a></h1><blockquote><p><code>const</code> <strong>show</strong>: <a href="./../types/svc-runtime.codec.Redact"><code>Redact</code></a></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.show.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_show = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_show as default
};
