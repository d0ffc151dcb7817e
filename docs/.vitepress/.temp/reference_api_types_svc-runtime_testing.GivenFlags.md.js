import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: GivenFlags","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_testing.GivenFlags.md","filePath":"reference/api/types/svc-runtime_testing.GivenFlags.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_testing.GivenFlags.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-givenflags" tabindex="-1">Type Alias: GivenFlags <a class="header-anchor" href="#type-alias-givenflags" aria-label="Permalink to &quot;Type Alias: GivenFlags&quot;">​</a></h1><blockquote><p><strong>GivenFlags</strong> = <code>Readonly</code>&lt;<code>Record</code>&lt;<code>string</code>, <code>boolean</code> | <code>Partial</code>&lt;<code>FlagRules</code>&gt;&gt;&gt;</p></blockquote><p>Flags that are on or off for everyone, or have rules: <code>{ &#39;gift-wrap&#39;: true, &#39;fast-lane&#39;: { tenants: { acme: true } } }</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_testing.GivenFlags.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_GivenFlags = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_GivenFlags as default
};
